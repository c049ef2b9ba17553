import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Provenance } from './present-provenance.ts';

export const ProvenanceDetails = ({ provenance }: { provenance: Provenance }) => (
  <details className="text-sm">
    <summary className="opens btn btn-sm btn-ghost -ms-3 text-ink-2">How this was written</summary>
    <div className="made mt-1 grid gap-5 border-s-2 border-line ps-3">
      {provenance.isChanged && (
        <p className="text-ink-3">This is about the text as it was written. It has been changed since.</p>
      )}
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        {provenance.rows.map(({ label, text }) => (
          <div key={label} className="min-w-0">
            <dt className="text-ink-3">{label}</dt>
            <dd className="break-words" dir="auto">
              {text}
            </dd>
          </div>
        ))}
      </dl>
      <Facts provenance={provenance} />
      {provenance.claims.length > 0 && <Claims provenance={provenance} />}
      {provenance.findings.length > 0 && (
        <Part title="Mended when it was read a second time" items={provenance.findings} />
      )}
      {provenance.reasons.length > 0 && (
        <Part title={`Specific: ${provenance.score} of 100`} items={provenance.reasons} />
      )}
    </div>
  </details>
);

const Facts = ({ provenance: { facts } }: { provenance: Provenance }) =>
  facts.length === 0 ? (
    <p className="text-ink-2">
      It was written without a fact of yours. <Link to="/app/voice/facts">Add facts</Link>, and posts have
      something to be concrete with.
    </p>
  ) : (
    <Part
      title="Facts it was given"
      items={facts.map(({ text, isUsed }) => (isUsed ? `${text} (used)` : text))}
    />
  );

const Claims = ({ provenance: { claims } }: { provenance: Provenance }) => (
  <div>
    <Title>What it says about you</Title>
    <ul className="mt-1 grid gap-2">
      {claims.map(({ text, fact }) => (
        <li key={text} className="flex gap-2">
          {fact ? (
            <CircleCheck aria-hidden size={18} className="shrink-0 text-success-ink" />
          ) : (
            <TriangleAlert aria-hidden size={18} className="shrink-0 text-warning-ink" />
          )}
          <span className="min-w-0 break-words" dir="auto">
            “{text}”
            <span className="block text-ink-3">
              {fact ? `From your fact: ${fact}` : 'No fact of yours says this. Please check that it is true.'}
            </span>
          </span>
        </li>
      ))}
    </ul>
  </div>
);

const Part = ({ title, items }: { title: string; items: string[] }) => (
  <div>
    <Title>{title}</Title>
    <ul className="made-list mt-1">
      {[...new Set(items)].map((item) => (
        <li key={item} className="break-words" dir="auto">
          {item}
        </li>
      ))}
    </ul>
  </div>
);

const Title = ({ children }: { children: ReactNode }) => <h4 className="font-semibold">{children}</h4>;
