const PAGE = '/app/topics';

export const TOPIC_DIALOGS = ['edit', 'pause', 'confirm-delete', 'confirm-deactivate'] as const;

/** A page of the list; the cursor of the first page is null. */
export type ListPage = { cursor: string | null };

const cursorParam = ({ cursor }: ListPage) => (cursor ? `cursor=${encodeURIComponent(cursor)}` : '');

export const pageOf = (listPage: ListPage): string => [PAGE, cursorParam(listPage)].filter(Boolean).join('?');

/** Returns the URL that opens a dialog, as in `edit=ID`. */
export const withDialog = (listPage: ListPage, dialog: string): string =>
  `?${[cursorParam(listPage), dialog].filter(Boolean).join('&')}`;

export const backTo = (listPage: ListPage, topicId: string): string => `${pageOf(listPage)}#topic-${topicId}`;
