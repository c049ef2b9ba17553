import type { countFacts } from '#app/domain/voice/fact-list.ts';
import { LANGUAGES } from '#app/domain/voice/limits.ts';
import type { Voice } from '#app/domain/voice/voice.ts';

const inCount = (facts: number) => (facts === 1 ? '1 fact' : `${facts} facts`);

export function presentVoice(voice: Voice, counts: Awaited<ReturnType<typeof countFacts>>) {
  const facts = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const { headline, audience, voiceNotes, language, interviewedAt } = voice;
  const isFilled = [headline, audience, voiceNotes].some(Boolean);
  const parts = [headline, audience && `for ${audience}`, LANGUAGES[language], facts > 0 && inCount(facts)];
  return {
    text: isFilled
      ? parts.filter(Boolean).join(' · ')
      : `Say for whom you write and how it sounds${facts > 0 ? `. You have ${inCount(facts)}` : ', so that posts sound like you'}.`,
    isFilled,
    isInterviewOffered: interviewedAt === null,
  };
}
