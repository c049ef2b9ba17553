import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { NOT_INCLUDED } from './columns.ts';
import { ROW_LISTS, SINGLE_ROWS } from './rows.ts';

type Lines = AsyncGenerator<string>;

/** The next member of the exported object. */
const member = (name: string) => `,\n${JSON.stringify(name)}: `;

async function* toJsonArray(pages: AsyncIterable<object[]>): Lines {
  let isFirst = true;
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    const json = rows.map((row) => JSON.stringify(row)).join(',\n');
    yield `${isFirst ? '[\n' : ',\n'}${json}`;
    isFirst = false;
  }
  yield isFirst ? '[]' : '\n]';
}

/** One JSON object, without secrets. Reads a few rows at a time; what is written meanwhile may be missing. */
export async function* exportAccount(db: Db, actor: Actor, now = new Date()): Lines {
  yield `{\n"exportedAt": ${JSON.stringify(now)}${member('notIncluded')}${JSON.stringify(NOT_INCLUDED)}`;
  for (const [name, read] of Object.entries(SINGLE_ROWS)) {
    yield member(name) + JSON.stringify((await read(db, actor)) ?? null);
  }
  for (const [name, read] of Object.entries(ROW_LISTS)) {
    yield member(name);
    yield* toJsonArray(read(db, actor));
  }
  yield '\n}\n';
}
