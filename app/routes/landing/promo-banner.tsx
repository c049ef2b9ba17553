import './promo-banner.css';
import { Link } from 'react-router';

export const PromoBanner = ({ percent }: { percent: number }) => (
  <aside aria-label="Offer" className="promo">
    <span className="font-semibold">{percent}% off your first month.</span>{' '}
    <Link to="/signup" className="promo-link">
      Create an account
    </Link>
  </aside>
);
