import type { LucideProps } from 'lucide-react';
import { createElement } from 'react';

/**
 * The svg around a drawing of Lucide's. The build puts it in the place of the package's own, and has the drawing as
 * markup: a page of many icons has one element for each, to render and to hydrate.
 */
export default function createLucideIcon(__html: string) {
  const dangerouslySetInnerHTML = { __html };
  return ({ size = 24, ...props }: LucideProps) =>
    createElement('svg', {
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
      dangerouslySetInnerHTML,
    });
}
