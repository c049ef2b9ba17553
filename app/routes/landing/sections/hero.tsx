import './hero.css';
import './hero-day.css';
import { CalendarClock, CircleCheck } from 'lucide-react';
import { FREE_POSTS_A_MONTH } from '#app/domain/writing/limits.ts';
import { parseLittleText } from '#app/integrations/linkedin/little-text.ts';
import { StartLink } from '#app/routes/landing/header-footer.tsx';
import { PostPreview } from '#app/ui/post/post-preview.tsx';
import picture from './low-tide.svg?url';

/** The peaks are at the three publish times of the example day, 06:00 to 21:00 from left to right. */
const CURVE =
  'M0 170C144 170 144 62 288 62S408 150 528 150 648 46 768 46 864 138 960 138 1056 58 1152 58 1296 176 1440 176';

const TideTable = () => (
  <div className="tide-table" aria-hidden="true">
    <svg aria-hidden="true" viewBox="0 0 1440 200" preserveAspectRatio="none">
      <path d={`${CURVE}V200H0Z`} className="water" />
    </svg>
    <span className="buoy left-[20%] top-[31%]">09:00</span>
    <span className="buoy left-[53.33%] top-[23%]">14:00</span>
    <span className="buoy left-[80%] top-[29%]">18:00</span>
  </div>
);

export const Hero = ({ isSignedIn }: { isSignedIn: boolean }) => (
  <section className="hero">
    <div className="hero-inner">
      <div className="hero-words">
        <h1>On LinkedIn, as regular as the tide</h1>
        <p className="mt-6 max-w-md text-lg text-ink-2 text-pretty">
          Tidepost writes posts on the topics you name and publishes them at the times you choose. You can
          read, change or remove each one before it goes out.
        </p>
        <div className="mt-8 flex flex-wrap items-center gap-x-5 gap-y-3">
          <StartLink isSignedIn={isSignedIn} />
          <a href="#how-it-works" className="link inline-flex min-h-11 items-center">
            See how it works
          </a>
        </div>
        {!isSignedIn && (
          <p className="mt-4 text-sm text-ink-3">
            {`${FREE_POSTS_A_MONTH} posts a month are free. No card needed.`}
          </p>
        )}
      </div>
      <HeroDay />
    </div>
    <TideTable />
  </section>
);

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
const TEXT = parseLittleText(
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

const HeroDay = () => (
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
