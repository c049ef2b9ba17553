import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { NOT_INCLUDED } from './columns.ts';
import { LISTS, ONES } from './rows.ts';

type Lines = AsyncGenerator<string>;

/** One member of the object that the file is. */
const member = (name: string) => `,\n${JSON.stringify(name)}: `;

async function* listOf(pages: AsyncIterable<object[]>): Lines {
  let isFirst = true;
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    const texts = rows.map((row) => JSON.stringify(row)).join(',\n');
    yield `${isFirst ? '[\n' : ',\n'}${texts}`;
    isFirst = false;
  }
  yield isFirst ? '[]' : '\n]';
}

/**
 * Everything that is kept of the actor as one JSON object, without secrets. It is read a few rows at a time, and never held as
 * a whole; what is written meanwhile may be missing.
 */
export async function* exportAccount(db: Db, actor: Actor, now = new Date()): Lines {
  yield `{\n"exportedAt": ${JSON.stringify(now)}${member('notIncluded')}${JSON.stringify(NOT_INCLUDED)}`;
  for (const [name, read] of Object.entries(ONES)) {
    yield member(name) + JSON.stringify((await read(db, actor)) ?? null);
  }
  for (const [name, read] of Object.entries(LISTS)) {
    yield member(name);
    yield* listOf(read(db, actor));
  }
  yield '\n}\n';
}
