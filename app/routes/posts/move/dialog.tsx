import type { ReactNode } from 'react';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { TabLinks } from '#app/ui/components/tabs.tsx';
import { Time } from '#app/ui/time.tsx';
import type { Way } from './load.ts';
import { addressOf, FreeTimes, type MoveDialogProps, Others, OtherTimes } from './move-ways.tsx';

const TABS: { way: Way; label: string }[] = [
  { way: 'move', label: 'Free times' },
  { way: 'swap', label: 'Swap with a post' },
];

/** Gives a post that waits a free time, or the time of another one, which gets its own. */
export function MoveDialog({ moving, closeTo }: MoveDialogProps) {
  const { way, why, days, opening, when, zone, isPending } = moving;
  const place = { moving, closeTo };
  return (
    <Dialog title={way === 'move' ? 'Move this post' : 'Swap this post'} closeTo={closeTo}>
      <p className="mt-3 border-s-2 border-line-strong ps-3 break-words">“{opening}”</p>
      <p className="mt-2 mb-4 text-sm text-ink-2">
        {when ? (
          <>
            Planned for <Time {...when} className="font-medium tabular-nums" />.
          </>
        ) : (
          'It has no slot yet.'
        )}{' '}
        {zone}.{isPending && ' It goes on waiting for your approval.'}
      </p>
      <TabLinks
        label="Ways to move it"
        tabs={TABS.map((tab) => ({
          label: tab.label,
          to: addressOf(place, tab.way),
          isCurrent: tab.way === way,
        }))}
      />
      {days.length === 0 && <Nothing {...place}>{why ?? EMPTY[way]}</Nothing>}
      {days.length > 0 && (way === 'move' ? <FreeTimes {...place} /> : <Others {...place} />)}
    </Dialog>
  );
}

const EMPTY: Record<Way, string> = {
  move: 'No time is free from here on. Open a day, or choose more times in your settings.',
  swap: 'No other post waits for a time to come.',
};

const Nothing = ({ moving, closeTo, children }: MoveDialogProps & { children: ReactNode }) => (
  <>
    <p className="text-ink-2">{children}</p>
    <OtherTimes moving={moving} closeTo={closeTo} />
  </>
);
