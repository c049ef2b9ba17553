const handler = () => Response.json({ message: 'There is no such call', code: 'not_found' }, { status: 404 });

export const loader = handler;
export const action = handler;
