import type { LucideProps } from 'lucide-react';
import { createElement } from 'react';
import { cx } from './class-names.ts';

/**
 * The svg around a drawing of Lucide's. The build puts it in the place of the package's own, and has the drawing as
 * markup: a page of many icons has one element for each, to render and to hydrate. How it is drawn stands in the styles.
 */
export default function createLucideIcon(__html: string) {
  const dangerouslySetInnerHTML = { __html };
  return ({ size = 24, strokeWidth, className, ...props }: LucideProps) =>
    createElement('svg', {
      width: size,
      height: size,
      viewBox: '0 0 24 24',
      'aria-hidden': true,
      ...props,
      ...(strokeWidth && { style: { strokeWidth } }),
      className: cx('icon', className),
      dangerouslySetInnerHTML,
    });
}
