import './features.css';
import './illustrations.css';
import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { TONES } from '#app/domain/topics/limits.ts';
import { capitalised } from '#app/ui/text.ts';

const SLOTS = ['09:00', '14:00', '18:00'];

const Drawing = ({ children }: { children: ReactNode }) => (
  <div aria-hidden="true" className="drawing">
    {children}
  </div>
);

type FeatureProps = { title: string; text: string; className?: string; children: ReactNode };

const Feature = ({ title, text, className = '', children }: FeatureProps) => (
  <li className={`feature ${className}`}>
    <Drawing>{children}</Drawing>
    <h3>{title}</h3>
    <p>{text}</p>
  </li>
);

export const Features = () => (
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
        <EditDrawing />
      </Feature>
      <Feature
        title="Your topics, your tone"
        text="Each topic has its own description, keywords and tone, and can rest while the others go on."
      >
        <TonesDrawing />
      </Feature>
      <Feature
        title="Pause any time"
        text="One switch stops writing and publishing. Nothing goes out until you turn it on again."
      >
        <PauseDrawing />
      </Feature>
      <Feature
        className="feature-wide"
        title="Times that fit your readers"
        text="Set one time for each post of the day, in your own time zone. A slot you did not choose is never used."
      >
        <SlotsDrawing />
      </Feature>
    </ul>
  </section>
);

const EditDrawing = () => (
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
);

const TonesDrawing = () => (
  <ul className="tones">
    {TONES.map((tone, index) => (
      <li key={tone} className={index === 3 ? 'is-chosen' : undefined}>
        {capitalised(tone)}
      </li>
    ))}
  </ul>
);

const PauseDrawing = () => (
  <div className="pause">
    <span className="pause-track" />
    <span>Paused</span>
  </div>
);

const SlotsDrawing = () => (
  <ol className="drawn-times">
    {SLOTS.map((time, index) => (
      <li key={time}>
        <span>Post {index + 1}</span>
        <span className="drawn-time">{time}</span>
      </li>
    ))}
  </ol>
);
