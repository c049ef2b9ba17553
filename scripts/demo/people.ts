export const DEMO_USER = { email: 'maya@demo.example', password: 'tide-and-ink', name: 'Maya Lindqvist' };
export const DEMO_ADMIN = { email: 'admin@demo.example', password: 'lighthouse-keeper', name: 'Ines Okafor' };
