import { CircleQuestionMark } from 'lucide-react';

/** How the way to help looks, and is called where there is room for its icon alone. */
export const HELP_LINK_PROPS = {
  className: 'btn btn-secondary help-link fixed rounded-full',
  'aria-label': 'Help',
};

export const HelpLinkContent = () => (
  <>
    <CircleQuestionMark aria-hidden size={20} />
    <span className="max-sm:hidden">Help</span>
  </>
);
