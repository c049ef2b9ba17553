import { type ChangeEvent, useState } from 'react';
import { SCREENSHOT_BYTES_MAX } from '#app/domain/payments/limits.ts';
import { controlProps, type Field, FieldFrame } from '#app/ui/form/field.tsx';

const LARGEST = `${SCREENSHOT_BYTES_MAX / 1024 ** 2} MB`;
const TOO_LARGE = `The screenshot is over ${LARGEST}. Choose a smaller one, or submit without it`;

/** A picture of the transaction. Whoever has scripts hears at once that one is too large, and sends nothing for it. */
export function ScreenshotField({ field, wasRefused }: { field: Field; wasRefused: boolean }) {
  const [isTooLarge, setTooLarge] = useState(false);
  const look = ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const isOver = (input.files?.[0]?.size ?? 0) > SCREENSHOT_BYTES_MAX;
    setTooLarge(isOver);
    if (isOver) input.value = '';
  };
  const errors = isTooLarge ? [TOO_LARGE] : field.errors;
  // A browser without scripts forgets the file with the page.
  const again = wasRefused && !errors?.length;
  const hint = `PNG, JPEG or WebP, at most ${LARGEST}.${again ? ' Choose it again if it is not named here.' : ''}`;
  // What a field says of itself is worked out when it is asked, so it cannot be copied as a whole.
  const { id, name, key, formId, errorId, descriptionId } = field;
  const shown = { id, name, key, formId, errorId, descriptionId, errors } as Field;
  return (
    <FieldFrame field={shown} label={LABEL} hint={hint}>
      <input
        {...controlProps(shown, true)}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        onChange={look}
        className="file-input"
      />
    </FieldFrame>
  );
}

const LABEL = (
  <>
    Screenshot <span className="font-normal text-ink-3">(optional)</span>
  </>
);
