import { Link, useLocation } from 'wouter';
import { useLocale } from '../ui/locale.tsx';
import { findPlace, listOpen } from './places.ts';
import { useStore } from './store.tsx';

/** The sections; the places of the one that is open stand below it. */
export function Navigation() {
  const { t } = useLocale();
  const { isTest, may } = useStore();
  const [path] = useLocation();
  const here = findPlace(path);
  return (
    <nav id="navigation" className="frame-nav" aria-label={t('nav.main')}>
      <ul>
        {listOpen({ isTest, may }).map(({ id, label, places: [first, ...others] }) => {
          const isHere = here?.section.id === id;
          if (!first) return null;
          return (
            <li key={id} className={isHere ? 'nav-section here' : 'nav-section'}>
              <Link
                href={`/${first.path}`}
                aria-current={isHere && others.length === 0 ? 'page' : isHere ? 'true' : undefined}
              >
                {t(label)}
              </Link>
              {isHere && others.length > 0 ? (
                <ul>
                  {[first, ...others].map((place) => (
                    <li key={place.path}>
                      <Link
                        href={`/${place.path}`}
                        aria-current={here.place.path === place.path ? 'page' : undefined}
                      >
                        {t(place.label)}
                      </Link>
                    </li>
                  ))}
                </ul>
              ) : null}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
