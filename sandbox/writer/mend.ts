import type { FaultKind } from '#sandbox/server/fault-kinds.ts';
import { rewriteForeign } from './again.ts';
import { type Brief, readBrief } from './brief.ts';
import { memoize } from './memoize.ts';
import { authorOf, remember, type WriterMemory } from './memory.ts';
import { stockOf } from './stock.ts';
import { contractWords } from './voice.ts';
import { hasWord, isSameMould, sentencesOf, spaced } from './words.ts';
import {
  claimsOf,
  composeBest,
  hashtagsOf,
  thesisOf,
  type WrittenPost,
  withFault,
  writeFor,
} from './writer.ts';

export type Turn = { role: string; content: string; picture?: Buffer };

/** The writer's previous post in this conversation, if any. */
function previousPost(turns: Turn[]): WrittenPost | undefined {
  const last = turns.findLast(({ role }) => role === 'assistant')?.content;
  if (last === undefined) return undefined;
  const empty = { hashtags: [], thesis: '', claims: [] };
  try {
    const post = JSON.parse(last.slice(last.indexOf('{')));
    return { ...empty, ...post, content: String(post.content ?? '') };
  } catch {
    return { ...empty, content: last };
  }
}

/** The reasons for which the text was rejected, one in each line. */
const reasonsOf = (turns: Turn[]): string[] =>
  (turns.at(-1)?.content ?? '')
    .split('\n')
    .filter((line) => /^\s*[-•]\s/.test(line))
    .map((line) => line.replace(/^\s*[-•]\s+/, ''));

/** Returns a new post, the corrected previous post, or, with `isReview`, the findings in the previous post. */
export function replyTo(
  memory: WriterMemory,
  turns: Turn[],
  counter: number,
  fault: FaultKind | null,
  isReview: boolean,
): WrittenPost {
  const brief = readBrief(
    turns
      .filter(({ role }) => role !== 'assistant')
      .map(({ content }) => content)
      .join('\n\n'),
  );
  const previous = previousPost(turns);
  if (!previous) return withFault({ findings: [], ...writeFor(memory, brief, counter) }, brief, fault);
  const post = isReview
    ? review(memory, brief, previous)
    : revise(memory, brief, previous, reasonsOf(turns), counter);
  return withFault(post, brief, fault);
}

/** Shorter parts of a sentence do not identify it. */
const LEAST_PART_LENGTH = 3;

const partsOf = memoize((template) =>
  contractWords(template)
    .split(/\{\w+\}/)
    .map((part) => spaced(part).trim())
    .filter((part) => part.length > LEAST_PART_LENGTH),
);

const hasText = (content: string, template: string) => {
  const words = spaced(contractWords(content));
  const parts = partsOf(template);
  return parts.length > 0 && parts.every((part) => words.includes(` ${part} `));
};

/** The scene with the most sentences in the text, if the text is from the stock. */
function sceneOf(brief: Brief, content: string) {
  const countTexts = (texts: Iterable<string[]>) =>
    [...texts].flat().filter((text) => hasText(content, text)).length;
  const scenes = stockOf(brief.language).scenes.map((scene) => ({
    scene,
    count: countTexts(scene.byRole.values()),
  }));
  const best = scenes.reduce((most, each) => (each.count > most.count ? each : most));
  return best.count > 1 ? best.scene : undefined;
}

/** Adds a limit to a post without one, and reports that as a finding. */
function review(memory: WriterMemory, brief: Brief, previous: WrittenPost): WrittenPost {
  const scene = sceneOf(brief, previous.content);
  const limits = scene?.byRole.get('limit') ?? [];
  const hasLimit = [...limits, ...(scene?.byRole.get('other') ?? [])].some((text) =>
    hasText(previous.content, text),
  );
  const newLimit = limits.find((text) => !brief.avoided.some((word) => hasWord(text, word)));
  if (hasLimit || newLimit === undefined) return { ...previous, findings: [] };
  authorOf(memory, brief).uses.set(newLimit, authorOf(memory, brief).posts - 1);
  const paragraphs = previous.content.split('\n\n');
  const index =
    brief.limit === 'early' ? 2 : brief.limit === 'middle' ? Math.ceil(paragraphs.length / 2) : -1;
  paragraphs.splice(index, 0, newLimit);
  const findings = ['It does not say where this stops working, so a reader will try it in the wrong place.'];
  return { ...previous, content: paragraphs.join('\n\n'), findings };
}

const QUOTED = /["“«]([^"”»]{3,})["”»]/g;

/** The texts that the reasons quote or name after a colon. */
const quotedTexts = (reasons: string[]): string[] =>
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

/** Removes the sentences that contain one of the texts. */
function withoutSentences(content: string, texts: string[]): string {
  const containsText = (sentence: string) =>
    texts.some((text) => sentence.includes(text) || spaced(sentence).includes(spaced(text)));
  return content
    .split('\n\n')
    .map((paragraph) =>
      sentencesOf(paragraph)
        .filter((sentence) => !containsText(sentence))
        .map((sentence) => sentence.trim())
        .join(paragraph.includes('\n') ? '\n' : ' '),
    )
    .filter(Boolean)
    .join('\n\n');
}

const LEAST_LENGTH = 220;

/**
 * Follows the instruction: composes the same scene again, or changes the sentences of a text that is not from the stock.
 * Without an instruction it writes another post.
 */
function rewrite(memory: WriterMemory, brief: Brief, previous: WrittenPost, counter: number): WrittenPost {
  if (brief.instruction === '') return writeAnother(memory, brief, previous, '', counter);
  const scene = sceneOf(brief, previous.content);
  if (!scene) {
    const { hashtags, ...text } = rewriteForeign(brief, previous);
    return { ...text, hashtags: hashtags.length > 0 ? hashtags : hashtagsOf(brief) };
  }
  const { posts } = authorOf(memory, brief);
  const fresh = { posts, uses: new Map(), closings: [], hashtags: 0 };
  const { voice, composed } = composeBest(fresh, brief, counter, [], scene);
  const thesis = previous.thesis || thesisOf(voice, composed);
  return {
    content: composed.paragraphs.join('\n\n'),
    hashtags: hashtagsOf(brief),
    thesis,
    claims: claimsOf(composed),
  };
}

/** Removes what the reasons name. Writes another post when too little remains, or when the reasons require it. */
function revise(
  memory: WriterMemory,
  brief: Brief,
  previous: WrittenPost,
  reasons: string[],
  counter: number,
): WrittenPost {
  if (reasons.length === 0) return rewrite(memory, brief, previous, counter);
  const all = reasons.join('\n');
  const needsAnother =
    /too close|short|at least|argued|nothing concrete|instructions|opens like|closes like/i.test(all);
  const quoted = quotedTexts(reasons);
  const content = withoutSentences(
    withoutMarkup(previous.content),
    quoted.filter((text) => !/placeholder/.test(text)),
  );
  const isFixed = content !== previous.content && content.length >= LEAST_LENGTH && !needsAnother;
  if (isFixed || (!needsAnother && /hashtag/i.test(all))) {
    const claims = previous.claims.filter(({ text }) => content.includes(text));
    return {
      ...previous,
      content: isFixed ? content : previous.content,
      hashtags: hashtagsOf(brief),
      claims,
    };
  }
  // A user who wants their text changed must not get another post.
  const isUsersText = brief.instruction !== '' && !sceneOf(brief, previous.content);
  if (isUsersText)
    return { ...previous, content: content.length >= LEAST_LENGTH ? content : previous.content, claims: [] };
  return writeAnother(memory, { ...brief, overused: [...brief.overused, ...quoted] }, previous, all, counter);
}

/** Writes another post for the same brief: shorter, longer or with another opening, by the reasons. */
function writeAnother(
  memory: WriterMemory,
  brief: Brief,
  previous: WrittenPost,
  reasons: string,
  counter: number,
): WrittenPost {
  const author = authorOf(memory, brief);
  const opening = previous.content.split('\n')[0] ?? '';
  const length = /at least|too short/i.test(reasons)
    ? 'long'
    : /at most|too long/i.test(reasons)
      ? 'short'
      : brief.length;
  const newBrief = {
    ...brief,
    length,
    openings: [...brief.openings, opening],
    theses: [...brief.theses, previous.thesis],
  };
  const { voice, composed } = composeBest(author, newBrief, counter);
  if (composed.closing && isSameMould(composed.closing, previous.content.split('\n').at(-1) ?? ''))
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
