import './hero.css';
import { CalendarClock, CircleCheck, Globe } from 'lucide-react';
import { FREE_POSTS_A_MONTH } from '#app/domain/writing/limits.ts';
import { StartLink } from './site-frame.tsx';

const DAY = [
  {
    time: '09:00',
    topic: 'Pricing',
    text: 'We raised our price last spring. What I learned from the calls that followed.',
    isOut: true,
  },
  {
    time: '14:00',
    topic: 'Hiring',
    text: 'The interview question I ask first takes ten seconds. The answer takes ten minutes.',
    isOut: false,
  },
  {
    time: '18:00',
    topic: 'Meetings',
    text: 'Cancel the status meeting for a month. Keep the notes. See who asks for it back.',
    isOut: false,
  },
];

/** High water stands at the three publish times of the example day, 06:00 to 21:00 from left to right. */
const CURVE =
  'M0 170C144 170 144 62 288 62S408 150 528 150 648 46 768 46 864 138 960 138 1056 58 1152 58 1296 176 1440 176';

function TideTable() {
  return (
    <div className="tide-table" aria-hidden="true">
      <svg aria-hidden="true" viewBox="0 0 1440 200" preserveAspectRatio="none">
        <path d={`${CURVE}V200H0Z`} className="water" />
      </svg>
      <span className="buoy left-[20%] top-[31%]">09:00</span>
      <span className="buoy left-[53.33%] top-[23%]">14:00</span>
      <span className="buoy left-[80%] top-[29%]">18:00</span>
    </div>
  );
}

function DayQueue() {
  return (
    <div className="day-queue">
      <p className="flex items-baseline justify-between gap-3 border-b border-line px-4 py-3">
        <span className="font-semibold">Today</span>
        <span className="text-xs text-ink-3">{`${DAY.length} posts a day`}</span>
      </p>
      <ol>
        {DAY.map(({ time, topic, text, isOut }) => (
          <li key={time} className="day-row">
            <span className="font-display text-lg font-semibold tabular-nums">{time}</span>
            <span className="min-w-0">
              <span className="block text-xs font-semibold text-brand-ink">{topic}</span>
              <span className="line-clamp-2 text-sm text-ink-2">{text}</span>
            </span>
            <span className={isOut ? 'day-state text-success-ink' : 'day-state text-info-ink'}>
              {isOut ? <CircleCheck aria-hidden size={15} /> : <CalendarClock aria-hidden size={15} />}
              {isOut ? 'Published' : 'Scheduled'}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function ProfilePost() {
  return (
    <div className="profile-post">
      <div className="flex items-center gap-3">
        <span aria-hidden="true" className="avatar">
          You
        </span>
        <p className="text-sm leading-tight">
          <span className="block font-semibold">Your name</span>
          <span className="block text-xs text-ink-3">Your headline</span>
          <span className="flex items-center gap-1 text-xs text-ink-3">
            09:00 <Globe aria-hidden size={12} />
          </span>
        </p>
      </div>
      <p className="mt-3 text-sm">
        We raised our price last spring.
        <br />
        <br />
        What I learned from the calls that followed: nobody argued about the number. They asked what would
        change for them. So now the number comes last.
      </p>
      <p className="mt-2 text-sm font-medium text-brand-ink">#pricing #consulting</p>
    </div>
  );
}

export function Hero({ isSignedIn }: { isSignedIn: boolean }) {
  return (
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
        <figure className="hero-picture">
          <DayQueue />
          <ProfilePost />
          <figcaption className="sr-only">
            An example day: three posts at 09:00, 14:00 and 18:00, and the first one as it looks on LinkedIn.
          </figcaption>
        </figure>
      </div>
      <TideTable />
    </section>
  );
}
