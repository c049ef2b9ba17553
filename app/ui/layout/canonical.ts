import type { MetaDescriptor } from 'react-router';

/** The one address under which a public page is to be known, whatever stands behind the question mark. */
export const canonicalLink = (href: string | undefined): MetaDescriptor[] =>
  href ? [{ tagName: 'link', rel: 'canonical', href }] : [];
