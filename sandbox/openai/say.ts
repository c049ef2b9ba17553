import type { ServerResponse } from 'node:http';
import { type ActiveFault, strike } from '#sandbox/server/faults.ts';
import { pause } from '#sandbox/server/http.ts';
import type { State } from '#sandbox/state.ts';
import { describe } from '#sandbox/writer/looks.ts';
import { answerTurns, type Turn } from '#sandbox/writer/mend.ts';
import { answerBadly, choiceOf, refuseByFault } from './faults.ts';
import { ANY_ANSWER } from './formats.ts';
import { type Model, tooLong } from './models.ts';
import { exampleOf, propertiesOf } from './schema.ts';

/** A request in any of its forms: who shall answer what, in which shape, in how many tokens. */
export type Asked = {
  model: Model;
  turns: Turn[];
  schema: Record<string, unknown> | null;
  /** Whether that is a schema, or JSON of any shape. */
  asksForSchema: boolean;
  mostTokens: number;
};
export type Spoken = { choice: ReturnType<typeof choiceOf>; read: number; written: number };

/** What a picture counts as. */
const TOKENS_OF_PICTURE = 1_105;

/** About as many as a model would count. */
const tokensOf = (text: string) => Math.ceil(text.length / 4);

export const promptOf = (turns: Turn[]): string => turns.map(({ content }) => content).join('\n\n');

const onlyOfPictures = (kind: string) => kind === 'writer.blind' || kind === 'writer.bad-picture';

/** What the writer says; undefined when a fault has answered in its place. */
export async function say(state: State, res: ServerResponse, asked: Asked): Promise<Spoken | undefined> {
  const { model, turns, asksForSchema } = asked;
  const prompt = promptOf(turns);
  const picture = turns.find((turn) => turn.picture)?.picture;
  const read = tokensOf(prompt) + (picture ? TOKENS_OF_PICTURE : 0);
  if (read > model.contextTokens) tooLong(read, model);
  const slow = strike(state, (kind) => kind === 'writer.slow', prompt);
  if (slow) await pause(res, slow.delayMs ?? 10_000);
  const fault = strike(
    state,
    (kind) =>
      kind.startsWith('writer.') &&
      kind !== 'writer.slow' &&
      (picture !== undefined || !onlyOfPictures(kind)),
    prompt,
  );
  if (fault) refuseByFault(fault, model.id, asksForSchema);
  if (fault && (await answerBadly(res, fault))) return undefined;
  return spokenOf(wordsFor(state, asked, picture, fault), asked, fault, read);
}

function wordsFor(
  state: State,
  { turns, schema }: Asked,
  picture: Buffer | undefined,
  fault: ActiveFault | null,
): string {
  if (picture) {
    const description = describe(picture, promptOf(turns), fault?.kind ?? null);
    return schema === null
      ? (description ?? 'I cannot see a picture.')
      : JSON.stringify(exampleOf(schema, { description }));
  }
  const prompt = promptOf(turns);
  // Where any shape is taken, the one that is wanted stands in the words.
  const isShaped = schema !== null && schema !== ANY_ANSWER;
  const isRereading = isShaped ? 'findings' in propertiesOf(schema) : prompt.includes('"findings"');
  const post = answerTurns(state.writer, turns, state.writerCounter++, fault?.kind ?? null, isRereading);
  return schema === null ? post.content : JSON.stringify(exampleOf(schema, { ...post }));
}

function spokenOf(whole: string, { mostTokens }: Asked, fault: ActiveFault | null, read: number): Spoken {
  const isCut = tokensOf(whole) > mostTokens;
  const choice = choiceOf(isCut ? whole.slice(0, mostTokens * 4) : whole, fault?.kind ?? null, isCut);
  const { content, refusal } = choice.message;
  const said = typeof content === 'string' ? content : JSON.stringify(content ?? refusal);
  return { choice, read, written: tokensOf(said) };
}
