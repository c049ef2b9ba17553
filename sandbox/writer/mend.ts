import type { FaultKind } from '#sandbox/server/fault-kinds.ts';
import { retold } from './again.ts';
import { type Brief, readBrief } from './brief.ts';
import { remembered } from './memoize.ts';
import { authorOf, remember, type WriterMemory } from './memory.ts';
import { stockOf } from './stock.ts';
import { contracted } from './voice.ts';
import { hasWord, isSameMould, sentencesOf, spaced } from './words.ts';
import { broken, claimsOf, composeBest, hashtagsOf, thesisOf, type WrittenPost, writeFor } from './writer.ts';

export type Turn = { role: string; content: string; picture?: Buffer };

/** What the writer said before in this conversation; undefined when it is asked for the first time. */
function saidBefore(turns: Turn[]): WrittenPost | undefined {
  const last = turns.findLast(({ role }) => role === 'assistant')?.content;
  if (last === undefined) return undefined;
  const none = { hashtags: [], thesis: '', claims: [] };
  try {
    const answer = JSON.parse(last.slice(last.indexOf('{')));
    return { ...none, ...answer, content: String(answer.content ?? '') };
  } catch {
    return { ...none, content: last };
  }
}

/** The reasons that a text came back with, one a line. */
const reasonsOf = (turns: Turn[]): string[] =>
  (turns.at(-1)?.content ?? '')
    .split('\n')
    .filter((line) => /^\s*[-•]\s/.test(line))
    .map((line) => line.replace(/^\s*[-•]\s+/, ''));

/**
 * Answers a conversation: with a post, with the text that was sent back mended, or, when findings are asked for, with
 * what is found in it.
 */
export function answerTurns(
  memory: WriterMemory,
  turns: Turn[],
  counter: number,
  fault: FaultKind | null,
  isRereading: boolean,
): WrittenPost {
  const brief = readBrief(
    turns
      .filter(({ role }) => role !== 'assistant')
      .map(({ content }) => content)
      .join('\n\n'),
  );
  const before = saidBefore(turns);
  if (!before) return broken({ findings: [], ...writeFor(memory, brief, counter) }, brief, fault);
  const post = isRereading
    ? reread(memory, brief, before)
    : mended(memory, brief, before, reasonsOf(turns), counter);
  return broken(post, brief, fault);
}

/** Shorter parts of a sentence show nothing. */
const LEAST_SAID = 3;

const partsOf = remembered((template) =>
  contracted(template)
    .split(/\{\w+\}/)
    .map((part) => spaced(part).trim())
    .filter((part) => part.length > LEAST_SAID),
);

const hasText = (content: string, template: string) => {
  const said = spaced(contracted(content));
  const parts = partsOf(template);
  return parts.length > 0 && parts.every((part) => said.includes(` ${part} `));
};

/** The scene a text was made from: the one with the most of its sentences. */
function sceneOf(brief: Brief, content: string) {
  const count = (texts: Iterable<string[]>) =>
    [...texts].flat().filter((text) => hasText(content, text)).length;
  const scenes = stockOf(brief.language).scenes.map((scene) => ({ scene, found: count(scene.of.values()) }));
  const best = scenes.reduce((most, each) => (each.found > most.found ? each : most));
  return best.found > 1 ? best.scene : undefined;
}

/** Reads a text once more. What a limit is missing from gets one; mostly there is nothing to find. */
function reread(memory: WriterMemory, brief: Brief, before: WrittenPost): WrittenPost {
  const scene = sceneOf(brief, before.content);
  const limits = scene?.of.get('limit') ?? [];
  const isLimited = [...limits, ...(scene?.of.get('other') ?? [])].some((text) =>
    hasText(before.content, text),
  );
  const free = limits.find((text) => !brief.avoided.some((word) => hasWord(text, word)));
  if (isLimited || free === undefined) return { ...before, findings: [] };
  authorOf(memory, brief).uses.set(free, authorOf(memory, brief).posts - 1);
  const paragraphs = before.content.split('\n\n');
  const at = brief.limit === 'early' ? 2 : brief.limit === 'middle' ? Math.ceil(paragraphs.length / 2) : -1;
  paragraphs.splice(at, 0, free);
  const findings = ['It does not say where this stops working, so a reader will try it in the wrong place.'];
  return { ...before, content: paragraphs.join('\n\n'), findings };
}

const QUOTED = /["“«]([^"”»]{3,})["”»]/g;

/** The texts that the reasons quote, and what they name behind a colon. */
const namedIn = (reasons: string[]): string[] =>
  reasons.flatMap((reason) => [
    ...[...reason.matchAll(QUOTED)].map(([, text]) => text!.replace(/[….]+$/, '')),
    ...(/(?:given|avoids): ([^."]{1,60})[."]/.exec(reason)?.slice(1) ?? []),
    ...(/placeholder \((.+?)\)/.exec(reason)?.slice(1) ?? []),
  ]);

const withoutMarkup = (text: string): string =>
  text
    .replace(/^#{1,6} .*\n+/gm, '')
    .replace(/\*\*\w+:\*\*\s?|\*\*|__|~~|`+/g, '')
    .replace(/^[*+] /gm, '– ')
    .replace(/(?<!\p{L})[*_](\p{L}[^*_\n]*)[*_](?!\p{L})/gu, '$1');

/** Takes away the sentences that hold one of some texts. */
function without(content: string, texts: string[]): string {
  const holds = (sentence: string) =>
    texts.some((text) => sentence.includes(text) || spaced(sentence).includes(spaced(text)));
  return content
    .split('\n\n')
    .map((paragraph) =>
      sentencesOf(paragraph)
        .filter((sentence) => !holds(sentence))
        .map((sentence) => sentence.trim())
        .join(paragraph.includes('\n') ? '\n' : ' '),
    )
    .filter(Boolean)
    .join('\n\n');
}

const LEAST = 220;

/**
 * The same scene, told as an instruction wants it, or the same sentences where the text is none of the stock; without an
 * instruction it is another post.
 */
function again(memory: WriterMemory, brief: Brief, before: WrittenPost, counter: number): WrittenPost {
  if (brief.instruction === '') return anew(memory, brief, before, '', counter);
  const scene = sceneOf(brief, before.content);
  if (!scene) {
    const { hashtags, ...text } = retold(brief, before);
    return { ...text, hashtags: hashtags.length > 0 ? hashtags : hashtagsOf(brief) };
  }
  const { posts } = authorOf(memory, brief);
  const fresh = { posts, uses: new Map(), closings: [], hashtags: 0 };
  const { voice, composed } = composeBest(fresh, brief, counter, [], scene);
  const thesis = before.thesis || thesisOf(voice, composed);
  return {
    content: composed.paragraphs.join('\n\n'),
    hashtags: hashtagsOf(brief),
    thesis,
    claims: claimsOf(composed),
  };
}

/** Mends what the reasons name; where that leaves too little, or they say that the post is an old one, it is written anew. */
function mended(
  memory: WriterMemory,
  brief: Brief,
  before: WrittenPost,
  reasons: string[],
  counter: number,
): WrittenPost {
  if (reasons.length === 0) return again(memory, brief, before, counter);
  const all = reasons.join('\n');
  const isAnew = /too close|short|at least|argued|nothing concrete|instructions|opens like|closes like/i.test(
    all,
  );
  const named = namedIn(reasons);
  const content = without(
    withoutMarkup(before.content),
    named.filter((text) => !/placeholder/.test(text)),
  );
  const issueResolved = content !== before.content && content.length >= LEAST && !isAnew;
  if (issueResolved || (!isAnew && /hashtag/i.test(all))) {
    const claims = before.claims.filter(({ text }) => content.includes(text));
    return {
      ...before,
      content: issueResolved ? content : before.content,
      hashtags: hashtagsOf(brief),
      claims,
    };
  }
  // Whoever wants a text changed wants no other one in its place.
  const isOwn = brief.instruction !== '' && !sceneOf(brief, before.content);
  if (isOwn) return { ...before, content: content.length >= LEAST ? content : before.content, claims: [] };
  return anew(memory, { ...brief, worn: [...brief.worn, ...named] }, before, all, counter);
}

/** Another post for the same brief: shorter, longer or with another beginning, as the reasons want it. */
function anew(
  memory: WriterMemory,
  brief: Brief,
  before: WrittenPost,
  reasons: string,
  counter: number,
): WrittenPost {
  const author = authorOf(memory, brief);
  const opening = before.content.split('\n')[0] ?? '';
  const length = /at least|too short/i.test(reasons)
    ? 'long'
    : /at most|too long/i.test(reasons)
      ? 'short'
      : brief.length;
  const wanted = {
    ...brief,
    length,
    openings: [...brief.openings, opening],
    theses: [...brief.theses, before.thesis],
  };
  const { voice, composed } = composeBest(author, wanted, counter);
  if (composed.closing && isSameMould(composed.closing, before.content.split('\n').at(-1) ?? ''))
    voice.memory.closings.push(composed.closing);
  const thesis = thesisOf(voice, composed);
  remember(memory, author, composed, thesis);
  return {
    content: composed.paragraphs.join('\n\n'),
    hashtags: hashtagsOf(brief),
    thesis,
    claims: claimsOf(composed),
  };
}
