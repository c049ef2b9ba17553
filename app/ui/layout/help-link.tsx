import { CircleQuestionMark } from 'lucide-react';

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
