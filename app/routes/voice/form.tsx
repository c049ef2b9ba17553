import type { SubmissionResult } from '@conform-to/react';
import { LANGUAGES, VOICE_NOTES_MAX } from '#app/domain/voice/limits.ts';
import type { VoiceInput } from '#app/domain/voice/schema.ts';
import { FormPanel, SelectField, SubmitButton, TextArea, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { RadioTile } from '#app/ui/form/radio-tile.tsx';
import { optionsOf } from '#app/ui/text.ts';
import { VOICE } from './tabs.tsx';

type Fields = Record<keyof VoiceInput, string>;
type VoiceFormProps = { voice: VoiceInput; result?: SubmissionResult<string[]> | undefined };

const LANGUAGE_OPTIONS = optionsOf(LANGUAGES);
/** The single-line fields have no limit here: pasted text that is too long is refused rather than cut. */
const CONSTRAINT = { voiceNotes: { maxLength: VOICE_NOTES_MAX } };
const EMOJI = [
  { value: 'off', label: 'No emoji' },
  { value: 'on', label: 'An emoji where it fits' },
];

const initialFields = ({ wordsToUse, wordsToAvoid, hasEmoji, ...voice }: VoiceInput): Fields => ({
  ...voice,
  wordsToUse: wordsToUse.join(', '),
  wordsToAvoid: wordsToAvoid.join(', '),
  hasEmoji: hasEmoji ? 'on' : 'off',
});

type Line = { name: keyof Fields; label: string; hint: string };

const WHO_LINES: Line[] = [
  {
    name: 'headline',
    label: 'Headline',
    hint: 'What you do, in a line. Previews show it under your name.',
  },
  {
    name: 'audience',
    label: 'Audience',
    hint: 'Whom you write for, for example: site managers of small building firms',
  },
];
const WORD_LINES: Line[] = [
  { name: 'wordsToUse', label: 'Words to use', hint: 'Separated by commas' },
  { name: 'wordsToAvoid', label: 'Words to avoid', hint: 'Separated by commas' },
];

export function VoiceForm({ voice, result }: VoiceFormProps) {
  const [form, fields] = useFormOf<Fields>(result, {
    id: 'voice-form',
    defaultValue: initialFields(voice),
    constraint: CONSTRAINT,
  });
  return (
    <FormPanel form={form} action={VOICE} failure="Failed to save your voice" preventScrollReset>
      <Lines lines={WHO_LINES} fields={fields} />
      <TextArea
        field={fields.voiceNotes}
        label="How you write"
        hint="For example: short sentences, a little dry, never a call to action."
        rows={3}
        dir="auto"
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Lines lines={WORD_LINES} fields={fields} />
      </div>
      <SelectField
        field={fields.language}
        label="Language of your posts"
        options={LANGUAGE_OPTIONS}
        className="voice-narrow"
      />
      <Emoji chosen={fields.hasEmoji.initialValue} />
      <div>
        <SubmitButton busyLabel="Saving…">Save voice</SubmitButton>
      </div>
    </FormPanel>
  );
}

const Lines = ({ lines, fields }: { lines: Line[]; fields: ReturnType<typeof useFormOf<Fields>>[1] }) =>
  lines.map(({ name, ...line }) => (
    <TextField key={name} field={fields[name]} {...line} autoComplete="off" dir="auto" />
  ));

const Emoji = ({ chosen }: { chosen: string | undefined }) => (
  <fieldset>
    <legend className="field-label mb-2">Emoji</legend>
    <div className="grid gap-3 sm:grid-cols-2">
      {EMOJI.map((tile) => (
        <RadioTile key={tile.value} name="hasEmoji" defaultChecked={tile.value === chosen} {...tile} />
      ))}
    </div>
  </fieldset>
);
