import type { z } from 'zod';

/** Parses the named parameters of a list. A parameter that the schema refuses is left out, as if it were missing. */
export function parseListQuery<S extends z.ZodType>(
  schema: S,
  query: URLSearchParams,
  names: readonly string[],
): z.output<S> {
  const valid = names.flatMap((name) => {
    const value = query.get(name) || undefined;
    return value && schema.safeParse({ [name]: value }).success ? [[name, value]] : [];
  });
  return schema.parse(Object.fromEntries(valid));
}
