import type { MetaDescriptor } from 'react-router';

export const canonicalLink = (href: string | undefined): MetaDescriptor[] =>
  href ? [{ tagName: 'link', rel: 'canonical', href }] : [];

/** The title and description of a page. */
export const pageMeta = (title: string, description: string): MetaDescriptor[] => [
  { title: `${title} – Tidepost` },
  { name: 'description', content: description },
];
