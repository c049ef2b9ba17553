import { ArrowLeft } from 'lucide-react';
import { ButtonLink } from '#app/ui/form/button.tsx';

export const BackToPlans = ({ to }: { to: string }) => (
  <ButtonLink to={to} replace preventScrollReset variant="ghost" className="justify-self-start">
    <ArrowLeft aria-hidden size={16} />
    Back
  </ButtonLink>
);
