import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { brokenValuesOf, valuesOf } from '#tests/fixtures/json-values.ts';
import { makePublisher, makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import { tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { contractOf, type Json, type Operation } from '#tests/harness/http/openapi-contract.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { SEED } from '#tests/harness/seed.ts';
import { startWeb } from '#tests/harness/web.ts';

const RUNS = Number(process.env.FUZZ_RUNS || 6);

const outside = await startOutside();
let database: TestDatabase;
let contract: Awaited<ReturnType<typeof contractOf>>;

before(async () => {
  database = await testDatabase();
  const { url } = await startWeb({ databaseUrl: database.url, env: { TRUST_PROXY: 'x-forwarded-for' } });
  contract = await contractOf(url);
});

/** Somebody new for each kind of call, who has one of everything and whom no limit has met. */
async function somebody({ operation, path }: Operation) {
  const { db } = database;
  const isAdmin = operation.description.startsWith('For administrators.');
  const actor: Actor = isAdmin ? await makeUser(db, { isAdmin }) : await makePublisher(db, outside.url, 2);
  const dueAt = new Date(Date.now() + 2 * 86_400_000);
  const id = path.startsWith('/topics')
    ? (await makeTopic(db, actor, 'Planning')).id
    : await makeScheduledPost(db, actor, { dueAt });
  return { token: await tokenOf(db, actor), path: { id, currency: 'USD', token: 'none', verb: 'approve' } };
}

let at = 0;
/** Each call has cases of its own. */
const settings = () => ({ numRuns: RUNS, seed: (SEED + at++) | 0 });
const withBody = () => contract.operations.filter(({ operation }) => operation.requestBody);
const schemaOf = ({ operation }: Operation): Json => operation.requestBody.content['application/json'].schema;

test('values that keep the document get answers that keep it, by every call that takes a body', async (t) => {
  const worked = new Set<string>();
  for (const each of withBody()) {
    await t.test(each.name, async () => {
      const who = await somebody(each);
      const property = fc.asyncProperty(valuesOf(schemaOf(each)), async (body) => {
        assert.ok(contract.keeps(each, body), `${JSON.stringify(body)} was to be valid`);
        const { status } = await contract.ask(each.name, { ...who, body });
        assert.ok(status < 500, `${status}`);
        if (status < 300) worked.add(each.name);
      });
      await fc.assert(property, settings());
    });
  }
  assert.ok(worked.size >= 6, [...worked].join(', '));
});

test('values that break the document are refused and make no fault, by every call that takes a body', async (t) => {
  for (const each of withBody()) {
    await t.test(each.name, async () => {
      const who = await somebody(each);
      const broken = brokenValuesOf(schemaOf(each), (body) => contract.keeps(each, body));
      const property = fc.asyncProperty(broken, async (body) => {
        const { status } = await contract.ask(each.name, { ...who, body });
        assert.ok(status >= 400 && status < 500, `${status}`);
      });
      await fc.assert(property, settings());
    });
  }
});

type Parameter = { in: string; name: string; schema: Json };
const queryOf = (values: object) => {
  const said = Object.entries(values).map(([name, value]) => [name, String(value)]);
  return `?${new URLSearchParams(Object.fromEntries(said))}`;
};

test('what is asked for in an address is answered as the document has it, well or wrongly asked', async (t) => {
  for (const each of contract.operations) {
    const asked: Parameter[] = (each.operation.parameters ?? []).filter(
      (one: Parameter) => one.in === 'query',
    );
    if (asked.length === 0) continue;
    const properties = Object.fromEntries(asked.map(({ name, schema }) => [name, schema]));
    const good = valuesOf({ type: 'object', properties });
    const bad = fc
      .tuple(fc.constantFrom(...asked), fc.constantFrom('', '-1', '1e9', 'x'.repeat(3_000), '\0', '[]', '%'))
      .map(([{ name }, value]) => ({ [name]: value }));
    await t.test(each.name, async () => {
      const who = await somebody(each);
      const property = fc.asyncProperty(fc.oneof(good, bad), async (values) => {
        const { status } = await contract.ask(each.name, { ...who, query: queryOf(values as object) });
        assert.ok(status < 500, `${status}`);
      });
      await fc.assert(property, settings());
    });
  }
});
