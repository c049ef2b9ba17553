/** Whether JSON says all there is in a value; what is undefined is as good as not there. */
function isJson(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return value === null || isJsonObject(value);
    default:
      return false;
  }
}

function isJsonObject(value: object): boolean {
  if (Array.isArray(value)) {
    for (const item of value) if (item === undefined || !isJson(item)) return false;
    return true;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const name in value) {
    // In a script it would name the prototype.
    if (name === '__proto__' || !isJson(value[name as keyof typeof value])) return false;
  }
  return true;
}

/**
 * The data of a page as a script writes them: a tenth of what React Router's own encoding costs, which is for streams and
 * for values that JSON has no words for. Undefined when there is such a value.
 */
export function literalOf(data: unknown): string | undefined {
  return isJson(data) ? JSON.stringify(data).replaceAll('<', '\\u003c') : undefined;
}
