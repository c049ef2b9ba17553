import type { LucideProps } from 'lucide-react';
import { createElement } from 'react';

type Drawing = [tag: string, attributes: Record<string, string>][];

/** The svg around a drawing of Lucide's. The build puts it in the place of the package's own. */
export default function createLucideIcon(drawing: Drawing) {
  return ({ size = 24, ...props }: LucideProps) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'aria-hidden': true,
        ...props,
      },
      ...drawing.map(([tag, attributes]) => createElement(tag, attributes)),
    );
}
