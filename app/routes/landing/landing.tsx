export default function Landing() {
  return <h1>Tidepost</h1>;
}
