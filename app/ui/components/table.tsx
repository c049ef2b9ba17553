import { Fragment, type ReactNode } from 'react';
import { cx } from '#app/ui/cx.ts';

type Column<Row> = { label: string; cell: (row: Row) => ReactNode; isNumber?: boolean };

type TableProps<Row> = {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
};

/** A table that turns into cards with the same headings below 640 px. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <table className="table">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ label, isNumber }) => (
            <th key={label} scope="col" className={cx(isNumber && 'is-number')}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ label, cell, isNumber }) => (
              <td key={label} data-label={label} className={cx(isNumber && 'is-number')}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** An email address that can wrap before its "@" and after its dots. */
export const Address = ({ children }: { children: string }) => (
  <span className="address text-ink-3">
    {children.split(/(?=@)|(?<=\.)/).map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an address keep their order.
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </span>
);
