import { z } from 'zod';
import './validation-messages.ts';

/** What a caller of the API is told of input that is not as it has to be: the first fault, and all of them by their fields. */
export function validationMessage(error: z.ZodError): { message: string; fields: Record<string, string[]> } {
  const { fieldErrors, formErrors } = z.flattenError(error) as z.core.$ZodFlattenedError<
    Record<string, unknown>
  >;
  const message = Object.values(fieldErrors).flat()[0] ?? formErrors[0] ?? 'The input is not valid';
  const fields = Object.entries(fieldErrors).map(([name, said]) => [name, [...new Set(said)]]);
  return { message, fields: Object.fromEntries(fields) };
}
