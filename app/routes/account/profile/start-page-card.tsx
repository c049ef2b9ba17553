import { SHOWN_HASHTAGS, SHOWN_TEXT_MAX } from '#app/domain/posts/limits.ts';
import { Card } from '#app/ui/components/card.tsx';
import { SwitchButton } from '#app/ui/form/switch.tsx';
import { CardErrors } from '#app/ui/messages/inline-notices.tsx';
import { inWords } from '#app/ui/text.ts';
import type { Profile } from './load.ts';
import { formAt } from './profile-address.ts';

const CARD = 'start-page';

/** Whether strangers may see the newest post on our start page: exactly what they see, before anybody says yes. */
export const ShownCard = ({ since, takenOff }: Pick<Profile, 'takenOff'> & { since: string | null }) => (
  <Card
    id={CARD}
    title="Show my newest post on the start page"
    description={`Visitors of Tidepost then see of your newest published post: its topic, the first ${SHOWN_TEXT_MAX} characters, up to ${inWords(SHOWN_HASHTAGS)} of its hashtags, its picture, and a link to it on LinkedIn, where your name stands. Nothing else of yours is shown.`}
    actions={
      <SwitchButton
        isOn={since !== null}
        label="Show my newest post on the start page"
        name="showsPosts"
        action={formAt('show', CARD)}
        failure="Failed to change what the start page shows"
      />
    }
  >
    <CardErrors id={CARD} />
    <p className="text-sm text-ink-2">
      {since
        ? `On since ${since}. You can switch it off`
        : 'Off. If you switch it on, you can switch it off again'}{' '}
      at any time: we stop showing it at once, and what others keep of our list is gone within a minute.
    </p>
    {takenOff.map(({ postId, beginning, reason, on }) => (
      <p key={postId} className="mt-3 text-sm text-ink-2" dir="auto">
        On {on} we took “{beginning}” off the start page: {reason}
      </p>
    ))}
  </Card>
);
