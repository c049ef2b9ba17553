import { type ComponentType, createContext, createElement, type HTMLAttributes, useContext } from 'react';

/** What a part depends on: a few values that many readers share. */
type Given = Record<string, string | number | boolean>;

/** Answers the markup that a part comes to. */
export type MarkupOf = <G extends Given>(Part: ComponentType<G>, given: G) => string;

/** Around the pages that the server renders. */
export const KeptMarkup = createContext<MarkupOf | null>(null);

type KeptProps<G extends Given> = HTMLAttributes<HTMLElement> & {
  as: 'nav' | 'header' | 'div' | 'ul';
  of: ComponentType<G>;
  given: G;
};

/**
 * An element around a part of the page that is the same for all who are given the same. The server renders the part once
 * in the life of the process and keeps its markup; in browsers it is like any other. It may have links, but no forms and
 * no ids of React's making, and it does not ask where its reader is.
 */
export function Kept<G extends Given>({ as, of: Part, given, ...props }: KeptProps<G>) {
  const markupOf = useContext(KeptMarkup);
  return markupOf
    ? createElement(as, { ...props, dangerouslySetInnerHTML: { __html: markupOf(Part, given) } })
    : createElement(as, props, createElement(Part, given));
}
