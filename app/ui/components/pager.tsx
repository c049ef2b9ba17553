import { ButtonLink } from '#app/ui/form/button.tsx';

type PagerProps = { next: string | null; first: string | null; nextLabel: string; firstLabel: string };

export function Pager({ next, first, nextLabel, firstLabel }: PagerProps) {
  if (next === null && first === null) return null;
  return (
    <nav aria-label="Pages" className="mt-6 flex flex-wrap justify-between gap-3">
      {first === null ? (
        <span />
      ) : (
        <ButtonLink to={first} variant="secondary">
          {firstLabel}
        </ButtonLink>
      )}
      {next !== null && (
        <ButtonLink to={next} variant="secondary" rel="next">
          {nextLabel}
        </ButtonLink>
      )}
    </nav>
  );
}
