import './benefits.css';
import { Check } from 'lucide-react';

const BENEFITS = [
  {
    title: 'Your mornings back',
    text: 'Posts are written before you sit down. What is left to do is read them.',
  },
  {
    title: 'A rhythm that holds',
    text: 'The weeks in which nobody has time to write look from outside like all the others.',
  },
  {
    title: 'No stock phrases',
    text: 'Filler and worn phrases are sent back to be written again before you see a post.',
  },
  {
    title: 'Never twice',
    text: 'When LinkedIn does not say what became of a post, we find out or ask you. We do not guess.',
  },
  {
    title: 'Your yes first, if you want',
    text: 'Have us ask before each post, for everything or for single topics.',
  },
  {
    title: 'Yours to take away',
    text: 'Your posts and all we keep of you come as a file, and your account goes when you say so.',
  },
];

export const Benefits = () => (
  <section className="band benefits" aria-labelledby="benefits-title">
    <h2 id="benefits-title" className="section-title">
      What changes for you
    </h2>
    <ul className="benefit-list">
      {BENEFITS.map(({ title, text }) => (
        <li key={title}>
          <Check aria-hidden size={20} />
          <h3>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  </section>
);
