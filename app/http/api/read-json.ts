import { visit } from 'jsonc-parser';

/** What is said of a body that is none. */
export const NO_JSON = 'The body is not valid JSON, or names a field twice';

/** Whether an object in a JSON text has one key twice: which of them counts, no two readers of it agree on. */
function repeatsKey(text: string): boolean {
  const objects: Set<string>[] = [];
  let isRepeated = false;
  visit(
    text,
    {
      onObjectBegin: () => void objects.push(new Set()),
      onObjectProperty: (key) => {
        isRepeated ||= objects.at(-1)!.has(key);
        objects.at(-1)!.add(key);
      },
      onObjectEnd: () => void objects.pop(),
    },
    { disallowComments: true },
  );
  return isRepeated;
}

/** What a JSON text says. Throws a SyntaxError for one that is none or that repeats a key, and a RangeError for one nested without end. */
export function readJsonText(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (repeatsKey(text)) throw new SyntaxError('A key is there twice');
  return value;
}
