import './hero.css';
import './hero-day.css';
import { FREE_POSTS_A_MONTH } from '#app/domain/writing/limits.ts';
import { StartLink } from '#app/routes/landing/header-footer.tsx';
import { HeroDay } from './hero-day.tsx';

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
        <HeroDay />
      </div>
      <TideTable />
    </section>
  );
}
