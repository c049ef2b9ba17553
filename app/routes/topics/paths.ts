const PAGE = '/app/topics';

/** The dialogs that are about one topic. */
export const ABOUT_ONE = ['edit', 'pause', 'confirm-delete', 'confirm-deactivate'] as const;

/** Which page of the topics is shown: null is the first one. */
export type Place = { cursor: string | null };

const inPage = ({ cursor }: Place) => (cursor ? `cursor=${encodeURIComponent(cursor)}` : '');

/** The page without a dialog. */
export const pageOf = (place: Place): string => {
  const search = inPage(place);
  return search ? `${PAGE}?${search}` : PAGE;
};

/** The page with the dialog that `asked` names, as in `edit=ID`. */
export const withDialog = (place: Place, asked: string): string =>
  `?${[inPage(place), asked].filter(Boolean).join('&')}`;

/** The page at the card of a topic: where the work goes on after an act. */
export const backTo = (place: Place, topicId: string): string => `${pageOf(place)}#topic-${topicId}`;
