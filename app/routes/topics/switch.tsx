import type { FormEvent } from 'react';
import { Form, useFetcher } from 'react-router';
import { topicAddress } from '#app/routes/actions.ts';
import { noteSwitch } from '#app/ui/form/failure/use-failure-message.ts';
import { SwitchTrack } from '#app/ui/form/switch.tsx';
import { backTo, type Place } from './paths.ts';
import type { TopicView } from './present.ts';

const FAILURE = { failure: 'Failed to toggle topic status' };

/** Activates a topic at once; asks before it deactivates one. It is one button all the while, which keeps the focus. */
export function TopicSwitch({ topic: { id, name, isActive }, place }: { topic: TopicView; place: Place }) {
  const key = `toggle-${id}`;
  const isBusy = useFetcher({ key }).state !== 'idle';
  const isAsking = isActive && !isBusy;
  const posting = {
    method: 'post' as const,
    action: topicAddress(id, 'toggle'),
    navigate: false,
    fetcherKey: key,
    onSubmit: (event: FormEvent<HTMLFormElement>) => noteSwitch(event, FAILURE),
  };
  return (
    <Form preventScrollReset className="inline-flex" {...(isAsking ? {} : posting)}>
      {isAsking ? (
        place.cursor && <input type="hidden" name="cursor" value={place.cursor} />
      ) : (
        <input type="hidden" name="from" value={backTo(place, id)} />
      )}
      <SwitchTrack
        isOn={isActive || isBusy}
        label={`${name} is active`}
        name={isAsking ? 'confirm-deactivate' : 'isActive'}
        value={isAsking ? id : 'true'}
      />
    </Form>
  );
}
