import type { ReactNode } from 'react';
import { postAddress } from '#app/routes/actions.ts';
import { useFrom } from '#app/routes/posts/post-parts.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { RadioTile } from '#app/ui/form/radio-tile.tsx';
import { Time } from '#app/ui/time.tsx';
import type { Choice, MoveMode, Moving } from './load.ts';

/** Covers what scrolls below the sticky buttons, down to the end of the dialog. */
const COVER_BELOW = {
  boxShadow: '0 calc(var(--dialog-pad) + env(safe-area-inset-bottom)) var(--color-surface)',
} as const;

export type MoveDialogProps = { moving: Moving; closeTo: string };

export const moveUrl = ({ moving, closeTo }: MoveDialogProps, mode: MoveMode, from?: string) =>
  `${closeTo}${closeTo.includes('?') ? '&' : '?'}${mode}=${moving.id}${from ? `&from=${from}` : ''}`;

export function OtherTimes({ moving, closeTo }: MoveDialogProps) {
  const { mode, later, isLater } = moving;
  const dialog = { moving, closeTo };
  if (!later && !isLater) return null;
  return (
    <p className="-ms-3 mt-2 flex flex-wrap">
      {isLater && (
        <ButtonLink to={moveUrl(dialog, mode)} replace preventScrollReset size="sm" variant="ghost">
          Back to the soonest
        </ButtonLink>
      )}
      {later && (
        <ButtonLink to={moveUrl(dialog, mode, later)} replace preventScrollReset size="sm" variant="ghost">
          {mode === 'move' ? 'Later times' : 'Later posts'}
        </ButtonLink>
      )}
    </p>
  );
}

const Footer = ({ moving, closeTo, children }: MoveDialogProps & { children?: ReactNode }) => (
  <div
    className="sticky bottom-0 -mx-1 mt-3 flex flex-wrap items-center justify-end gap-2 bg-surface px-1 py-3"
    style={COVER_BELOW}
  >
    <ButtonLink to={closeTo} replace preventScrollReset variant="secondary">
      {moving.when ? 'Keep its time' : 'Cancel'}
    </ButtonLink>
    {children}
  </div>
);

export function FreeTimes({ moving, closeTo }: MoveDialogProps) {
  const { id, days } = moving;
  const from = useFrom(closeTo, moving);
  return (
    <ActionForm
      key={days[0]!.heading}
      action={postAddress(id, 'move')}
      failure="Failed to move post"
      fields={{ from }}
      preventScrollReset
    >
      <Tiles days={days} />
      <OtherTimes moving={moving} closeTo={closeTo} />
      <Footer moving={moving} closeTo={closeTo}>
        <SubmitButton busyLabel="Moving…">Move post</SubmitButton>
      </Footer>
    </ActionForm>
  );
}

const Tiles = ({ days }: Pick<Moving, 'days'>) => (
  <div className="grid gap-2">
    {days.map(({ heading, choices }, index) => (
      <fieldset key={heading} className="grid items-start gap-x-2 gap-y-1 sm:grid-cols-[5.5rem_1fr]">
        <legend className="sr-only">{heading}</legend>
        <span aria-hidden className="mt-1 text-sm font-medium text-ink-2 sm:pt-2">
          {heading}
        </span>
        <span className="flex flex-wrap gap-1.5 tabular-nums">
          {choices.map(({ key, time }, number) => (
            <RadioTile
              key={key}
              name="slot"
              value={key}
              label={time}
              required
              defaultChecked={index + number === 0}
            />
          ))}
        </span>
      </fieldset>
    ))}
  </div>
);

export const OtherPosts = ({ moving, closeTo }: MoveDialogProps) => (
  <>
    {moving.days.map(({ heading, choices }) => (
      <section key={heading} aria-label={heading} className="mb-3">
        <h3 className="text-sm font-medium text-ink-2">{heading}</h3>
        <ul className="divide-y divide-line">
          {choices.map((choice) => (
            <OtherPost key={choice.key} choice={choice} moving={moving} closeTo={closeTo} />
          ))}
        </ul>
      </section>
    ))}
    <OtherTimes moving={moving} closeTo={closeTo} />
    <Footer moving={moving} closeTo={closeTo} />
  </>
);

function OtherPost({ choice, moving, closeTo }: MoveDialogProps & { choice: Choice }) {
  const { key, iso, time, postId, opening } = choice;
  const from = useFrom(closeTo, moving);
  return (
    <li className="flex items-center gap-3 py-1">
      <Time iso={iso} text={time} className="font-semibold tabular-nums" />
      <span className="min-w-0 flex-1 truncate">{opening}</span>
      <ActionForm
        action={postAddress(moving.id, 'swap')}
        failure="Failed to swap posts"
        fields={{ from, otherId: postId!, slot: moving.slot!, otherSlot: key }}
        preventScrollReset
      >
        <SubmitButton size="sm" variant="secondary" busyLabel="Swapping…">
          Swap<span className="sr-only"> with “{opening}”</span>
        </SubmitButton>
      </ActionForm>
    </li>
  );
}
