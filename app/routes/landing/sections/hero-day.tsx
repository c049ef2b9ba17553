import { CalendarClock, CircleCheck } from 'lucide-react';
import { shownText } from '#app/integrations/little-text.ts';
import { PostPreview } from '#app/ui/post/post-preview.tsx';
import picture from './low-tide.svg?url';

const SLOTS = [
  { time: '09:00', topic: 'Pricing', isOut: true },
  { time: '14:00', topic: 'Hiring', isOut: false },
  { time: '18:00', topic: 'Meetings', isOut: false },
];
const NEXT = SLOTS[1]!;

const AUTHOR = {
  name: 'Mira Sandberg',
  headline: 'Head of operations, builder of small teams',
  picture: null,
};
const TEXT = shownText(
  [
    'The interview question I ask first takes ten seconds to say: “What did you stop doing this year?” Who can name it knows what their work is for.',
    'Who cannot is often just busy.',
    'I write the answer down before I read the next line of the CV. It has never been the same answer twice.',
  ].join('\n\n'),
  ['Hiring', 'Leadership'],
);

const Slots = () => (
  <ol className="hero-slots">
    {SLOTS.map(({ time, topic, isOut }) => (
      <li key={time} className={time === NEXT.time ? 'is-next' : undefined}>
        <span className="font-semibold tabular-nums">{time}</span>
        <span className="min-w-0">
          <span className="block text-sm">{topic}</span>
          <span className={isOut ? 'hero-state text-success-ink' : 'hero-state text-info-ink'}>
            {isOut ? <CircleCheck aria-hidden size={14} /> : <CalendarClock aria-hidden size={14} />}
            {isOut ? 'Published' : 'Scheduled'}
          </span>
        </span>
      </li>
    ))}
  </ol>
);

/** An example of what the dashboard opens with, made of its own parts: the next post as LinkedIn will show it, and the day. */
export const HeroDay = () => (
  <figure className="hero-picture">
    <div className="hero-card">
      <div className="hero-when">
        <p className="text-sm font-medium text-ink-2">Goes out next</p>
        <p className="font-display text-3xl font-semibold tabular-nums">{NEXT.time}</p>
        <p className="text-sm text-ink-2">Today, in 50 minutes</p>
        <Slots />
      </div>
      <PostPreview
        author={AUTHOR}
        text={TEXT}
        when={`Today, ${NEXT.time}`}
        imageUrl={picture}
        altText="The sun over the sea at low tide, drawn"
      />
    </div>
    <figcaption>An example day, made of the parts of your dashboard.</figcaption>
  </figure>
);
