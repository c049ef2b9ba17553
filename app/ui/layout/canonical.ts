import type { MetaDescriptor } from 'react-router';

export const canonicalLink = (href: string | undefined): MetaDescriptor[] =>
  href ? [{ tagName: 'link', rel: 'canonical', href }] : [];
