import './story.css';
import './audience.css';
import { CODE_LENGTH } from '#app/domain/accounts/limits.ts';
import { POSTS_PER_DAY_MAX, VERIFIED_WITHIN_HOURS } from '#app/domain/payments/limits.ts';
import { RESPONSE_HOURS } from '#app/domain/support/limits.ts';
import { TONES } from '#app/domain/topics/limits.ts';
import { FREE_POSTS_A_MONTH } from '#app/domain/writing/limits.ts';
import type { Landing } from '#app/routes/landing/load.ts';
import { spellNumber } from '#app/ui/text.ts';

const FACTS = [
  { figure: `1 to ${POSTS_PER_DAY_MAX}`, text: 'posts a day, each at a time you set' },
  { figure: FREE_POSTS_A_MONTH, text: 'posts a month free, without a card' },
  { figure: `${VERIFIED_WITHIN_HOURS} h`, text: 'at most until your payment is verified' },
  { figure: '24/7', text: `support, and a reply within ${RESPONSE_HOURS} hours` },
];

type Published = Landing['published'];

function Results({ published }: { published: NonNullable<Published> }) {
  const { posts, authors } = published;
  const figures = [
    { figure: posts, text: 'posts published' },
    { figure: authors, text: authors === 1 ? 'author' : 'authors' },
    { figure: Math.round(posts / authors), text: 'posts by each of them, on average' },
  ];
  return (
    <dl className="results">
      {figures.map(({ figure, text }) => (
        <div key={text}>
          <dt>{text}</dt>
          <dd>{figure.toLocaleString('en')}</dd>
        </div>
      ))}
    </dl>
  );
}

export const Facts = ({ published }: { published: Published }) => (
  <section className="band deep" aria-labelledby="what-it-does">
    <div className="facts">
      <h2 id="what-it-does" className="statement">
        You have enough to say. What is missing is the hour, every day, to write it down.
      </h2>
      <dl className="fact-list">
        {FACTS.map(({ figure, text }) => (
          <div key={text}>
            <dt>{figure}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
    {published && <Results published={published} />}
  </section>
);

const STEPS = [
  {
    title: 'Create your account',
    text: `A name, an e-mail address and a password. A ${spellNumber(CODE_LENGTH)}-digit code proves the address is yours.`,
  },
  {
    title: 'Connect LinkedIn',
    text: 'You give permission on LinkedIn itself. We never see your password, and you can disconnect at any time.',
  },
  {
    title: 'Name your topics',
    text: `What you know about, in your words: a description, keywords, and one of ${spellNumber(TONES.length)} tones.`,
  },
  {
    title: 'Choose your times',
    text: 'One time for writing, one for each post. From then on posts are ready each day before they are due.',
  },
];

export const HowItWorks = () => (
  <section id="how-it-works" className="band" aria-labelledby="how-title">
    <h2 id="how-title" className="section-title">
      Four steps, then it runs by itself
    </h2>
    <ol className="voyage">
      {STEPS.map(({ title, text }, index) => (
        <li key={title}>
          <span aria-hidden="true" className="voyage-mark">
            {index + 1}
          </span>
          <h3>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  </section>
);

const AUDIENCE = [
  { who: 'Entrepreneurs', text: 'Tell the story of what you are building while you are busy building it.' },
  { who: 'Executives', text: 'Keep a steady public voice without handing your calendar to it.' },
  { who: 'Sales teams', text: 'Be a familiar name before the first message, not after the third.' },
  { who: 'Consultants', text: 'Show how you think, one small problem at a time.' },
  { who: 'Marketers', text: 'Fill the personal side of the plan that always slips to next week.' },
  { who: 'Job seekers', text: 'Let the people who hire see what you know, every working day.' },
];

export const Audience = () => (
  <section className="band audience" aria-labelledby="audience-title">
    <h2 id="audience-title" className="section-title">
      For people whose work is better known when they write
    </h2>
    <dl className="audience-list">
      {AUDIENCE.map(({ who, text }) => (
        <div key={who}>
          <dt>{who}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </section>
);
