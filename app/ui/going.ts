import { useNavigation } from 'react-router';

/** Where the router is going, until the page is there. */
export const useGoing = () => useNavigation().location;
