import { type CSSProperties, useId } from 'react';
import type { Ranked } from './present.ts';

const SHOWN = 8;

type RanksProps = { title: string; rows: Ranked[]; none?: string };

export function Ranks({ title, rows, none = 'Nothing was counted.' }: RanksProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="card ranks">
      <h2 id={id}>{title}</h2>
      {rows.length === 0 && <p className="text-ink-3">{none}</p>}
      <Bars label={id} rows={rows.slice(0, SHOWN)} />
      {rows.length > SHOWN && (
        <details>
          <summary>{rows.length - SHOWN} more</summary>
          <Bars label={id} rows={rows.slice(SHOWN)} />
        </details>
      )}
    </section>
  );
}

const Bars = ({ label, rows }: { label: string; rows: Ranked[] }) =>
  rows.length > 0 && (
    <table aria-labelledby={label}>
      <thead className="sr-only">
        <tr>
          <th scope="col">Which</th>
          <th scope="col">Times</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, count, share }) => (
          <tr key={name} style={{ '--share': share } as CSSProperties}>
            <th scope="row">{name}</th>
            <td>{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
