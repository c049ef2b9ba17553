import './features.css';
import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';

const TONES = ['Professional', 'Casual', 'Inspirational', 'Educational', 'Humorous'];

const Drawing = ({ children }: { children: ReactNode }) => (
  <div aria-hidden="true" className="drawing">
    {children}
  </div>
);

type FeatureProps = { title: string; text: string; className?: string; children: ReactNode };

function Feature({ title, text, className = '', children }: FeatureProps) {
  return (
    <li className={`feature ${className}`}>
      <Drawing>{children}</Drawing>
      <h3>{title}</h3>
      <p>{text}</p>
    </li>
  );
}

export function Features() {
  return (
    <section id="features" className="band" aria-labelledby="features-title">
      <h2 id="features-title" className="section-title">
        The writing is automatic. The last word is yours.
      </h2>
      <ul className="features">
        <Feature
          className="feature-wide"
          title="Read it before anyone else does"
          text="Every post waits in your queue until its time. Change a word, rewrite the whole, or delete it."
        >
          <div className="edit-sheet">
            <p>
              The best brief I ever got was <del>incredibly short and very much to the point</del>{' '}
              <ins>one sentence long</ins>.
            </p>
            <p className="edit-tools">
              <span>Goes out today at 14:00</span>
              <span className="ms-auto flex gap-3">
                <Pencil size={16} />
                <Trash2 size={16} />
              </span>
            </p>
          </div>
        </Feature>
        <Feature
          title="Your topics, your tone"
          text="Each topic has its own description, keywords and tone, and can rest while the others go on."
        >
          <ul className="tones">
            {TONES.map((tone, index) => (
              <li key={tone} className={index === 3 ? 'is-chosen' : undefined}>
                {tone}
              </li>
            ))}
          </ul>
        </Feature>
        <Feature
          title="Pause any time"
          text="One switch stops writing and publishing. Nothing goes out until you turn it on again."
        >
          <div className="pause">
            <span className="pause-track" />
            <span>Paused</span>
          </div>
        </Feature>
        <Feature
          className="feature-wide"
          title="Times that fit your readers"
          text="Set one time for each post of the day, in your own time zone. A slot you did not choose is never used."
        >
          <svg aria-hidden="true" viewBox="0 0 420 84" className="clock-line">
            <path d="M10 58H410" className="clock-base" />
            <path
              d="M10 52v12M60 54v8M110 54v8M160 54v8M210 52v12M260 54v8M310 54v8M360 54v8M410 52v12"
              className="clock-base"
            />
            <path d="M160 58V26M243 58V26M310 58V26" className="clock-pin" />
            <circle cx="160" cy="22" r="9" className="fill-accent" />
            <circle cx="243" cy="22" r="9" className="fill-accent" />
            <circle cx="310" cy="22" r="9" className="fill-accent" />
          </svg>
        </Feature>
      </ul>
    </section>
  );
}
