// Parts of response schemas that several API resources share, and their mappers.
import { z } from 'zod';

export const id = z
  .string()
  .meta({ description: 'An opaque id', example: '6f1f3b1e-3c52-4c89-9d0f-2f6a3f6f9a11' });
export const instant = z
  .string()
  .meta({ description: 'An instant in UTC', format: 'date-time', example: '2027-03-01T09:00:00.000Z' });
export const iso = (date: Date | null) => date?.toISOString() ?? null;

export const text = (example: string) => z.string().meta({ example });
export const name = text('Ada Marlow');
export const email = text('ada@example.com');
export const money = z
  .number()
  .meta({ description: 'In major units, with at most two decimals', example: 19 });
export const count = z.int().min(0);

export const Message = z.object({ message: z.string().meta({ description: 'A sentence for people' }) });
export const Success = z.object({ success: z.literal(true) });

/** One page of a list. `name` is the property that holds the items. */
export const pageOf = <N extends string, S extends z.ZodType>(name: N, item: S) =>
  z.object({
    ...({ [name]: z.array(item) } as Record<N, z.ZodArray<S>>),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'Pass it as `cursor` to get the next page; null on the last one' }),
  });

/** How many visits or clicks had one value, such as a browser. `_id` is that value. */
export const CountOfValue = z.object({ _id: z.string(), count });

/** The same counts for each period that a summary has. */
export const periodsOf = <S extends z.ZodType>(counts: S) =>
  z.object({ allTime: counts, today: counts, thisWeek: counts, thisMonth: counts });
