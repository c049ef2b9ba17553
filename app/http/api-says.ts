import { z } from 'zod';

/**
 * What the document of the API says of a call. `does`: a sentence. `answers`: the body of its success, whose status is 200
 * when there is no other. `sends`: a body as an example. `body`: of a method whose input is otherwise the query. `media`: of
 * an answer that is a file.
 */
export type Says<R extends z.ZodType = z.ZodType> = {
  does: string;
  answers: R;
  status?: 201 | 202;
  sends?: object;
  body?: z.ZodType;
  media?: string;
};

/** An instant, in UTC. */
export const instant = z
  .string()
  .meta({ description: 'An instant in UTC', format: 'date-time', example: '2027-03-01T09:00:00.000Z' });
export const id = z
  .string()
  .meta({ description: 'An opaque id', example: '6f1f3b1e-3c52-4c89-9d0f-2f6a3f6f9a11' });
/** A text, as it may be. */
export const text = (example: string) => z.string().meta({ example });
export const name = text('Ada Marlow');
export const email = text('ada@example.com');
export const currencyCode = text('USD');
export const currencySymbol = text('$');
/** Money in major units. */
export const money = z
  .number()
  .meta({ description: 'In major units, with at most two decimals', example: 19 });
export const count = z.int().min(0);
export const Message = z.object({ message: z.string().meta({ description: 'A sentence for people' }) });

/** A page of a list, under its name. */
export const pageOf = <N extends string, S extends z.ZodType>(name: N, of: S) =>
  z.object({
    ...({ [name]: z.array(of) } as Record<N, z.ZodArray<S>>),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'Asks for the next page, as `cursor`; null on the last one' }),
  });
