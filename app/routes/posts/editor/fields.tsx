import type { Field } from '#app/ui/form/field.tsx';
import { TextField } from '#app/ui/form/form.tsx';
import { AltTextField } from './alt-text-field.tsx';

export type OtherFields = Record<'hashtags' | 'imageUrl' | 'altText', Field>;

/** What goes with the text of a post. */
export const EditorFields = ({ hashtags, imageUrl, altText, address }: OtherFields & { address: string }) => (
  <div className="editor-fields">
    <TextField
      field={hashtags}
      label="Hashtags"
      hint="Separated by commas"
      autoComplete="off"
      autoCapitalize="none"
    />
    <TextField
      field={imageUrl}
      label="Image URL"
      hint="JPEG, PNG or GIF; empty for none"
      type="url"
      inputMode="url"
      placeholder="https://"
      autoComplete="off"
    />
    <AltTextField field={altText} address={address} />
  </div>
);
