import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { SignIn } from "./auth/SignIn";
import { applyTheme } from "./format/preferences";
import "./styles/app.css";

applyTheme();
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <SignIn />
  </StrictMode>,
);
