import type { ReactNode } from 'react';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { TabLinks } from '#app/ui/components/tabs.tsx';
import { Time } from '#app/ui/time.tsx';
import type { MoveMode } from './load.ts';
import { FreeTimes, type MoveDialogProps, moveUrl, OtherPosts, OtherTimes } from './move-ways.tsx';

const TABS: { mode: MoveMode; label: string }[] = [
  { mode: 'move', label: 'Free times' },
  { mode: 'swap', label: 'Swap with a post' },
];

export function MoveDialog({ moving, closeTo }: MoveDialogProps) {
  const { mode, why, days, opening, when, zone, isPending } = moving;
  const shared = { moving, closeTo };
  return (
    <Dialog title={mode === 'move' ? 'Move this post' : 'Swap this post'} closeTo={closeTo}>
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
          to: moveUrl(shared, tab.mode),
          isCurrent: tab.mode === mode,
        }))}
      />
      {days.length === 0 && <NoChoices {...shared}>{why ?? EMPTY[mode]}</NoChoices>}
      {days.length > 0 && (mode === 'move' ? <FreeTimes {...shared} /> : <OtherPosts {...shared} />)}
    </Dialog>
  );
}

const EMPTY: Record<MoveMode, string> = {
  move: 'No time is free from here on. Open a day, or choose more times in your settings.',
  swap: 'No other post waits for a time to come.',
};

const NoChoices = ({ moving, closeTo, children }: MoveDialogProps & { children: ReactNode }) => (
  <>
    <p className="text-ink-2">{children}</p>
    <OtherTimes moving={moving} closeTo={closeTo} />
  </>
);
