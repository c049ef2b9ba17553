/** The address of a list that a button was pressed on, from the form; only our two lists count. */
export async function readBack(request: Request): Promise<string> {
  const from = (await request.formData()).get('from');
  return typeof from === 'string' && /^\/app\/(?:scheduled|posts)(?:\?[^\s]*)?$/.test(from)
    ? from
    : '/app/scheduled';
}
